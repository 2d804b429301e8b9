#!/usr/bin/env bash
# Talks to a bot as the referee does, and checks each answer. It needs bash, and no Python:
#
#     bash kit.sh [--game pot-de-vin] COMMAND [ARGUMENT ...]
#
# The talks are in the folders of the games, one a file. `>` is a line of the referee. `<` is what the bot must
# answer within 10 seconds: `ready`, or `act` with the table, the turn and one of its legal actions. `exit` is
# the end of its input, after which it must exit within 5 seconds and send nothing more.
set -u
kit=$(cd "$(dirname "$0")" && pwd)
games=$kit/*/
if [ "${1:-}" = --game ]; then
    games=$kit/${2:?--game needs a game}/
    shift 2
fi
[ $# -gt 0 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2; }
scratch=$(mktemp -d)
bot=
trap '[ -z "$bot" ] || { kill -9 "$bot"; wait "$bot"; } 2> /dev/null; rm -rf "$scratch"' EXIT
trap '' PIPE  # a bot that has exited

field() {  # of the answer, a number or a text
    printf '%s\n' "$answer" | sed -n "s/.*\"$1\"[[:space:]]*:[[:space:]]*\"\{0,1\}\([^\",}]*\).*/\1/p"
}

expect() {  # a field, its value, and what was expected
    [ "$(field "$1")" = "$2" ] || problem "the field \"$1\" is '$(field "$1")', expected '$2'"
}

problem() {
    echo "FAILED ${talk#"$kit/"}: $1"
    [ -z "${answer:-}" ] || echo "  the bot sent: $answer"
    [ ! -s "$scratch/log" ] || { echo "  its stderr ends with:"; tail -n 5 "$scratch/log" | sed 's/^/    /'; }
    exit 1
}

check_act() {  # table=1 turn=2
    local table=${1#table=} turn=${2#turn=} legal action
    expect type act
    expect table "$table"
    expect turn "$turn"
    legal=$(sed -n "s/^> .*\"type\":\"turn\",\"table\":$table,\"turn\":$turn,.*\"legal\":\(\[[^]]*\]\).*/\1/p" "$talk")
    action=$(field action)
    case $legal in
        *"\"$action\""*) ;;
        *) problem "the action '$action' is not legal, expected one of $legal" ;;
    esac
}

converse() {  # with the command of the bot
    local line seconds=0
    answer=
    rm -f "$scratch/in" "$scratch/out"
    mkfifo "$scratch/in" "$scratch/out"
    "$@" < "$scratch/in" > "$scratch/out" 2> "$scratch/log" &
    bot=$!
    exec 3> "$scratch/in" 4< "$scratch/out"
    while IFS= read -r line; do
        case $line in
            "> "*)
                printf '%s\n' "${line#> }" >&3 2> /dev/null || problem "it does not read: it has exited" ;;
            "< "*)
                IFS= read -r -t 10 answer <&4 || problem "no answer within 10 seconds, or it has exited; are lines flushed?"
                case $line in
                    "< ready") expect type ready; expect protocol 1 ;;
                    "< act "*) check_act ${line#< act } ;;
                esac ;;
            exit)
                exec 3>&-
                while kill -0 "$bot" 2> /dev/null; do
                    [ $seconds -lt 50 ] || problem "it did not exit within 5 seconds after the last line"
                    sleep 0.1
                    seconds=$((seconds + 1))
                done
                answer=
                IFS= read -r -t 1 answer <&4
                [ -z "$answer" ] || problem "one line too many on its stdout: log to stderr" ;;
        esac
    done < "$talk"
    exec 3>&- 4<&-
    wait "$bot" || problem "it exited with code $?, expected 0"
    bot=
}

talks=0
for talk in $(ls $games*.txt); do
    converse "$@"
    talks=$((talks + 1))
done
echo "passed: $talks talks"
