//! Every crate that is linked may be used under terms that fit ours; asked of Cargo, offline.
use serde_json::Value;
use std::process::Command;

/// Licences that ask for no more than their own text.
const FITTING: &[&str] = &[
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether one alternative of an SPDX expression consists of fitting licences only.
fn fits(expression: &str) -> bool {
    // `/` is the old way to write OR.
    let expression = expression.replace('/', " OR ");
    if let Some((before, rest)) = expression.split_once('(') {
        let Some((inside, after)) = rest.split_once(')') else {
            return false;
        };
        let word = if fits(inside) { "MIT" } else { "none" };
        return fits(&format!("{before}{word}{after}"));
    }
    expression.split(" OR ").any(|alternative| {
        let mut parts = alternative.split(" AND ");
        parts.all(|part| FITTING.contains(&part.trim()))
    })
}

/// The platform that the tests were built for: crates of others need not be there.
fn host() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8(output.stdout).expect("rustc prints text");
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("rustc names its host").to_owned()
}

#[test]
fn every_crate_has_a_licence_that_fits() {
    let host = host();
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--offline", "--locked"])
        .args(["--filter-platform", &host])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("there are packages");
    assert!(packages.len() > 20, "all packages are listed");
    let misfits: Vec<String> = packages
        .iter()
        .filter(|package| !fits(package["license"].as_str().unwrap_or_default()))
        .map(|package| format!("{} ({})", package["name"], package["license"]))
        .collect();
    assert!(misfits.is_empty(), "{misfits:?}");
}

#[test]
fn an_expression_fits_if_one_of_its_alternatives_does() {
    for good in [
        "MIT",
        "GPL-3.0 OR MIT",
        "MIT/Apache-2.0",
        "(MIT OR X) AND Unicode-3.0",
    ] {
        assert!(fits(good), "{good}");
    }
    for bad in ["", "GPL-3.0", "MIT AND GPL-3.0", "(GPL-3.0 OR X) AND MIT"] {
        assert!(!fits(bad), "{bad}");
    }
}
