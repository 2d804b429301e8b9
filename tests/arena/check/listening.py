"""The beginning of programs of bots that differ in one thing."""

LISTEN = """\
import json, os, signal, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

def act(message, action):
    say(type="act", table=message["table"], turn=message["turn"], action=action)

def hear():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="ready", protocol=1)
        else:
            yield message

def play():
    for message in hear():
        if message["type"] == "turn":
            act(message, message["legal"][0])

"""
"""Defines `say`, `act`, `hear` and `play`, which takes the first legal action."""
