//! Files of the corpus that are part of the program.

/// Name and text of these files of a folder of the corpus.
macro_rules! corpus_files {
    ($folder:literal: $($name:literal)*) => {
        &[$((
            $name,
            include_str!(concat!("../../../corpus/", $folder, "/", $name, ".json")),
        )),*]
    };
}

pub(super) use corpus_files;

/// The names of the files of a folder of the corpus that are not listed, or the other way round.
#[cfg(test)]
pub(super) fn unlisted(folder: &str, listed: &[(&str, &str)]) -> Vec<String> {
    let directory = format!("{}/../corpus/{folder}", env!("CARGO_MANIFEST_DIR"));
    let fs = crashline::fs::RealFs;
    let names = crashline::fs::list_names(&fs, std::path::Path::new(&directory)).unwrap();
    let files = names
        .into_iter()
        .filter_map(|name| Some(name.to_str()?.strip_suffix(".json")?.to_owned()));
    let files: std::collections::BTreeSet<String> = files.collect();
    let listed = listed.iter().map(|(name, _)| (*name).to_owned()).collect();
    files.symmetric_difference(&listed).cloned().collect()
}
