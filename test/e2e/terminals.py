"""Runs programs, each on a terminal of its own, and prints what came out of them.

Standard input is JSON: {"cwd": ..., "env": {...}, "runs": [[program, argument, ...], ...]}.
Standard output is a JSON list of texts in base64. Nothing is typed.
"""
import base64
import json
import os
import pty
import sys
import termios

task = json.load(sys.stdin)
printed = []
for run in task["runs"]:
    child, terminal = pty.fork()
    if child == 0:
        modes = termios.tcgetattr(0)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(0, termios.TCSANOW, modes)
        os.chdir(task["cwd"])
        os.execve(run[0], run, task["env"])
    text = b""
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(terminal)
    os.waitpid(child, 0)
    printed.append(base64.b64encode(text).decode())
json.dump(printed, sys.stdout)
