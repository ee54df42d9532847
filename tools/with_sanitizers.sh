#!/bin/sh
# Run a command with the sanitizers' libraries, on kernels that were built for them.
#
#     sh tools/with_sanitizers.sh address FOLDER COMMAND ...
#     sh tools/with_sanitizers.sh thread FOLDER COMMAND ...
#
# FOLDER is where that build is installed. What the sanitizers find in the kernels ends
# the process at once. Leaks are looked for when a process asks for it (see
# tests/sanitizers.py): their reports are gathered beside FOLDER and read at the end.
set -eu

kind=$1
folder=$2
shift 2

library() {
    # The loader reads a plain name, which gcc prints when it has no such library,
    # as something to look for elsewhere: it would run without.
    path=$(${CC:-gcc} -print-file-name="$1.so")
    case $path in
    /*) echo "$path" ;;
    *)
        echo "$1 was not found: the sanitizers need gcc with its libasan, libubsan" \
            "and libtsan (Debian: libgcc-12-dev; CC names another gcc)." >&2
        exit 1
        ;;
    esac
}

reports=$folder-$kind-reports
rm -rf "$reports"
mkdir -p "$reports"

# Python's own allocator would hide the ends of its blocks, and pointers, from them.
export PYTHONMALLOC=malloc
export PYTHONPATH="$folder"
export DISSENSUS_SANITIZED="$kind"
# A request beyond these limits fails as it would on a small machine.
common=abort_on_error=1:allocator_may_return_null=1:soft_rss_limit_mb=4000
case $kind in
address)
    address=$(library libasan)
    undefined=$(library libubsan)
    preload="$address $undefined"
    leaks=detect_leaks=1:leak_check_at_exit=0
    export ASAN_OPTIONS="$common:$leaks:log_path=$reports/report"
    export UBSAN_OPTIONS="abort_on_error=1:print_stacktrace=1:log_path=$reports/report"
    ;;
thread)
    preload=$(library libtsan)
    quiet=ignore_noninstrumented_modules=1
    export TSAN_OPTIONS="$common:$quiet:log_path=$reports/report"
    ;;
esac

status=0
LD_PRELOAD=$preload "$@" || status=$?
python=$(command -v python || command -v python3)
"$python" tools/read_reports.py "$reports" || status=1
exit $status
