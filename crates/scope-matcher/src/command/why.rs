//! Why a part of a line is outside: stable keys of texts.

/// Defines the keys and lists them all.
macro_rules! keys {
    ($($(#[$doc:meta])* $name:ident = $key:literal,)*) => {
        $($(#[$doc])* pub(super) const $name: &str = $key;)*

        /// The keys of [`super::CommandCoverage::Outside`].
        pub const WHYS: &[&str] = &[$($key,)*];
    };
}

keys! {
    /// No entry covers it.
    NOT_LISTED = "command_not_listed",
    /// The line cannot be read with certainty; `shell::split` says what.
    OPAQUE = "command_opaque",
    /// An assignment in front of the command changes its environment.
    ASSIGNMENT = "command_assignment",
    /// Which program runs is only known when the line runs.
    COMPUTED = "command_computed",
    /// An argument that is only known when the line runs may become an option that needs its own entry.
    COMPUTED_ARGUMENT = "command_computed_argument",
    /// A file that is only known when the line runs.
    COMPUTED_FILE = "command_computed_file",
    /// An option runs another program.
    OPTION_RUNS = "command_option_runs",
    /// An option writes or removes a file.
    OPTION_WRITES = "command_option_writes",
    /// An option loads code or settings.
    OPTION_LOADS = "command_option_loads",
    /// An option sends data or opens access.
    OPTION_SENDS = "command_option_sends",
    /// An option leads to a directory that is not inside the root.
    OPTION_ENTERS = "command_option_enters",
    /// The subcommand runs programs, writes files or changes settings, and the entry does not name it.
    SUBCOMMAND = "command_subcommand",
    /// A script in an argument may run a program or write a file.
    SCRIPT = "command_script",
    /// An interpreter takes its program from a text of the line or a pipe.
    FED = "command_fed",
    /// A file is written that the files list does not cover.
    FILE = "command_file",
    /// A program that writes files is called in a way that is not known.
    FILE_OPTION = "command_file_option",
    /// A redirection opens a network connection.
    NETWORK = "command_network",
    /// The directory changes in a way that cannot be followed, or out of the root.
    DIRECTORY = "command_directory",
    /// A builtin runs its arguments or changes what later commands mean.
    BUILTIN = "command_builtin",
    /// A variable is set that changes what programs do.
    VARIABLE = "command_variable",
    /// A function hides what the line runs.
    FUNCTION = "command_function",
    /// Arithmetic is done on a value that could run a command.
    ARITHMETIC = "command_arithmetic",
    /// A program that runs the command in its arguments is called in a way that cannot be followed.
    WRAPPER = "command_wrapper",
    /// The text for a shell is computed.
    SHELL_TEXT = "command_shell_text",
    /// The data about programs cannot be read.
    DATA = "command_data",
}
