//! The command `crashline`.

fn main() -> std::process::ExitCode {
    crashline_sim::cli::main()
}
