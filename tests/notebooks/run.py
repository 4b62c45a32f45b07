"""Runs notebooks as JupyterLab does, but without a window, and says what is wrong with them.

    python tests/notebooks/run.py [--folder FOLDER] [--timeout SECONDS] [--deno DENO] NOTEBOOK...

Every cell runs in the Deno kernel, one after the other. A notebook fails with the cell and its trace where a cell throws,
rejects, also without anybody waiting for it, writes to the error stream or takes too long, and where an output is not
there that the cell's tags announce ("shows-text", "shows-picture", "shows-page") or one is there that they do not.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from queue import Empty

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionComplete, CellExecutionError, CellTimeoutError, DeadKernelError
from nbclient.util import ensure_async

# Seconds after the kernel says that it is idle: it says so before its last outputs are sent.
LATE = 0.15

# Runs before the first cell: the kernel keeps silent about what fails while no cell waits for it.
WATCH = """for (const kind of ["unhandledrejection", "error"]) {
  addEventListener(kind, (event) => {
    const reason = event.reason ?? event.error ?? event;
    console.error(`nobody waited for this, and it failed: ${reason?.stack ?? reason}`);
  });
}"""

TAGS = {
    "shows-text": lambda output: "text/plain" in output.get("data", {}) or output.get("name") == "stdout",
    "shows-picture": lambda output: "image/svg+xml" in output.get("data", {}),
    "shows-page": lambda output: "text/html" in output.get("data", {}),
}


class PatientClient(NotebookClient):
    """A client that goes on reading outputs for a while after the kernel is idle."""

    async def _async_poll_output_msg(self, parent_msg_id, cell, cell_index):
        idle = False
        while True:
            try:
                message = await ensure_async(self.kc.iopub_channel.get_msg(timeout=LATE if idle else None))
            except Empty:
                return
            if message["parent_header"].get("msg_id") != parent_msg_id:
                continue
            try:
                self.process_message(message, cell, cell_index)
            except CellExecutionComplete:
                idle = True


def text_of(output):
    """An output's words."""
    return "".join(output.get("text", "")) or str(output.get("data", {}).get("text/plain", ""))


def faults(cell, number):
    """What is wrong with a cell's outputs."""
    found = []
    tags = [tag for tag in cell.metadata.get("tags", []) if tag in TAGS]
    outputs = cell.get("outputs", [])
    for output in outputs:
        if output.get("name") == "stderr":
            found.append(f"cell {number} wrote to the error stream:\n{text_of(output).rstrip()}")
        elif "<rejected>" in text_of(output):
            found.append(f"cell {number} ends with a promise that was rejected:\n{text_of(output).rstrip()}")
    for tag in tags:
        if not any(TAGS[tag](output) for output in outputs):
            found.append(f"cell {number} has the tag {tag}, and shows none")
    for output in outputs:
        if output.get("name") != "stderr" and not any(TAGS[tag](output) for tag in tags):
            kinds = ", ".join(output.get("data", {})) or output.get("name") or output["output_type"]
            found.append(f"cell {number} shows what its tags do not announce ({kinds}): {text_of(output)[:200]}")
    return found


def run(path, folder, timeout, save):
    """Runs one notebook; gives what is wrong, and what it showed."""
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if not code:
        return ["there is no code"], {}
    notebook.cells.insert(0, nbformat.v4.new_code_cell(WATCH))
    client = PatientClient(
        notebook,
        kernel_name="deno",
        timeout=timeout,
        shutdown_kernel="immediate",
        resources={"metadata": {"path": folder}},
    )
    numbers = {id(cell): number for number, cell in enumerate(code, 1)}
    try:
        client.execute()
    except CellTimeoutError:
        late = next((cell for cell in code if cell.execution_count is None), code[-1])
        return [f"cell {numbers[id(late)]} is not done after {timeout} seconds:\n{late.source}"], {}
    except CellExecutionError as error:
        # The trace comes with the cell's source.
        return [str(error)], {}
    except DeadKernelError as error:
        return [f"the kernel died: {error}"], {}
    if save:
        done = nbformat.v4.new_notebook(cells=notebook.cells[1:], metadata=notebook.metadata)
        nbformat.write(done, os.path.join(save, os.path.basename(path)))
    wrong = [fault for cell in code for fault in faults(cell, numbers[id(cell)])]
    wrong += faults(notebook.cells[0], 0)
    kinds = {tag: sum(TAGS[tag](output) for cell in code for output in cell.outputs) for tag in TAGS}
    return wrong, {"cells": len(code), **kinds}


def write_kernel(folder, deno):
    """Makes a folder for JUPYTER_PATH; `deno jupyter --install` writes the same, but always into the home folder."""
    os.makedirs(os.path.join(folder, "kernels", "deno"))
    argv = [deno, "jupyter", "--kernel", "--conn", "{connection_file}"]
    with open(os.path.join(folder, "kernels", "deno", "kernel.json"), "w") as spec:
        json.dump({"argv": argv, "display_name": "Deno", "language": "typescript"}, spec)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("notebooks", nargs="+")
    parser.add_argument("--folder", help="where the kernel works (the notebook's own folder)")
    parser.add_argument("--timeout", type=int, default=120, help="seconds that a cell may take")
    parser.add_argument("--deno", default="deno", help="the Deno whose kernel runs")
    parser.add_argument("--save", metavar="FOLDER", help="keeps the notebooks with their outputs, to be looked at")
    options = parser.parse_args()
    os.environ["NO_COLOR"] = "1"
    failed = 0
    with tempfile.TemporaryDirectory() as kernels, tempfile.TemporaryDirectory() as runs:
        os.environ["JUPYTER_PATH"] = kernels
        os.environ.setdefault("FLYCHESS_RUNS", runs)
        write_kernel(kernels, options.deno)
        for path in options.notebooks:
            started = time.monotonic()
            folder = options.folder or os.path.dirname(os.path.abspath(path))
            wrong, shown = run(path, folder, options.timeout, options.save)
            seconds = round(time.monotonic() - started, 1)
            name = os.path.basename(path)
            print(json.dumps({"notebook": name, "seconds": seconds, **shown, "wrong": wrong}), flush=True)
            failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
