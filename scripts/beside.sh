# Sourced by .ci/run: parts that need nothing of each other run side by side. What each says is kept, and told in order
# once it has ended. One that fails fails them all, but not before every one was told.
# shellcheck shell=bash

# Of each part that was begun: its process, where its words are kept, and its name.
parts=()

beside() { # name, command and its arguments
    local name=$1 words
    shift
    words=$(mktemp)
    # With job control each is a process group, which can be ended as a whole.
    set -m
    (
        set -euo pipefail
        "$@"
    ) >"$words" 2>&1 </dev/null &
    set +m
    parts+=("$!" "$words" "$name")
}

join_parts() {
    local failed=() i status
    for ((i = 0; i < ${#parts[@]}; i += 3)); do
        status=0
        wait "${parts[i]}" || status=$?
        printf '\n== %s\n' "${parts[i + 2]}"
        cat "${parts[i + 1]}"
        rm -f "${parts[i + 1]}"
        [ "$status" = 0 ] || failed+=("${parts[i + 2]} ($status)")
    done
    parts=()
    [ ${#failed[@]} = 0 ] && return
    printf 'Failed: %s\n' "${failed[@]}" >&2
    return 1
}

# For the caller's trap: nobody waits for them any more.
end_parts() {
    local i
    for ((i = 0; i < ${#parts[@]}; i += 3)); do
        kill -- "-${parts[i]}" 2>/dev/null || true
        rm -f "${parts[i + 1]}"
    done
}
