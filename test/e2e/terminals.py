"""Runs programs, each on a terminal of its own and three at a time, and prints what came out of them.

Standard input is JSON: {"cwd": ..., "env": {...}, "runs": [[program, argument, ...], ...]}.
Standard output is a JSON list of texts in base64. Nothing is typed.
"""
import base64
import json
import os
import pty
import sys
import termios
from concurrent.futures import ThreadPoolExecutor

task = json.load(sys.stdin)


def printed_by(run):
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
    return base64.b64encode(text).decode()


with ThreadPoolExecutor(3) as pool:
    json.dump(list(pool.map(printed_by, task["runs"])), sys.stdout)
