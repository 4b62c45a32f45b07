"""Runs notebooks in JupyterLab itself, in Chromium, all cells at once, and looks under which cell every output stands.

    python tests/notebooks/lab.py [--deno DENO] [--chromium CHROMIUM] NOTEBOOK...

Wants jupyterlab and playwright (with a Chromium of the system's). Prints one line of JSON a notebook, like run.py.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import nbformat
from playwright.sync_api import sync_playwright
from run import TAGS, faults, write_kernel

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# What JupyterLab itself holds after all cells ran: every cell with the outputs that it shows below it.
CELLS = """() => jupyterapp.shell.currentWidget.content.widgets.map(({ model }) => ({
  cell_type: model.type,
  source: model.sharedModel.getSource(),
  metadata: model.sharedModel.getMetadata(),
  outputs: model.type === "code" ? model.outputs.toJSON() : undefined,
}))"""


def start(environment, folder, log):
    """Starts JupyterLab; gives the process, its address and its key."""
    options = ["--no-browser", "--allow-root", "--ServerApp.port=0", "--LabApp.expose_app_in_browser=True"]
    with open(log, "w") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.root_dir={folder}"],
            env=environment,
            stdout=file,
            stderr=file,
        )
    for _ in range(240):
        time.sleep(0.5)
        with open(log) as file:
            found = re.search(r"(http://127\.0\.0\.1:\d+)/lab\?token=(\w+)", file.read())
        if found:
            return process, found.group(1), found.group(2)
    process.kill()
    raise RuntimeError(f"JupyterLab did not start: {open(log).read()}")


def run(page, address, token, name, timeout):
    """Runs one notebook; gives what is wrong, and what it shows."""
    page.goto(f"{address}/lab/tree/{name}?reset&token={token}")
    page.wait_for_function(
        "() => window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'",
        timeout=120_000,
    )
    page.set_default_timeout(timeout * 1000)
    page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
    # What comes late would come under another cell.
    time.sleep(2)
    cells = [nbformat.from_dict(cell) for cell in page.evaluate(CELLS)]
    code = [cell for cell in cells if cell.cell_type == "code"]
    wrong = [fault for number, cell in enumerate(code, 1) for fault in faults(cell, number)]
    for number, cell in enumerate(code, 1):
        wrong += ["\n".join(output.traceback) for output in cell.outputs if output.output_type == "error"]
    return wrong, {"cells": len(code), **{tag: sum(TAGS[tag](o) for c in code for o in c.outputs) for tag in TAGS}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("notebooks", nargs="+", help="names in notebooks/")
    parser.add_argument("--timeout", type=int, default=300, help="seconds that a notebook may take")
    parser.add_argument("--deno", default="deno")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    options = parser.parse_args()
    failed = 0
    os.makedirs(os.path.join(ROOT, "runs"), exist_ok=True)
    # JupyterLab saves what it shows: it works on copies, within the clone so that imports are found.
    copies = tempfile.TemporaryDirectory(prefix="lab-", dir=os.path.join(ROOT, "runs"))
    with tempfile.TemporaryDirectory() as folder, copies as work, sync_playwright() as playwright:
        for name in options.notebooks:
            shutil.copy(os.path.join(ROOT, "notebooks", name), work)
        write_kernel(folder, options.deno)
        environment = {**os.environ, "NO_COLOR": "1", "JUPYTER_PATH": folder, "HOME": folder}
        environment["FLYCHESS_RUNS"] = os.path.join(folder, "flychess-runs")
        # Deno's cache is in the home folder that JupyterLab must not write its settings to.
        environment["DENO_DIR"] = os.environ.get("DENO_DIR", os.path.expanduser("~/.cache/deno"))
        server, address, token = start(environment, work, os.path.join(folder, "log"))
        try:
            browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
            page = browser.new_page()
            page.set_default_timeout(120_000)
            for name in options.notebooks:
                started = time.monotonic()
                wrong, shown = run(page, address, token, name, options.timeout)
                seconds = round(time.monotonic() - started, 1)
                print(json.dumps({"notebook": name, "seconds": seconds, **shown, "wrong": wrong}), flush=True)
                failed += bool(wrong)
            browser.close()
        finally:
            server.terminate()
            server.wait()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
