"""The part of the `hq` command that Oboro uses, over HyperQueue's own Python package.

The Python registry has the engine (server, scheduler, workers, client) but not the command, which is a file to download. Where that
is on the path the tests use it; elsewhere this stands in for it, and what runs the tasks is the real engine all the same.

    hq.py server start [--workers N]        a server with N workers of one core, until it is killed
    hq.py --output-mode=json job list       the jobs that are not over
    hq.py submit --name … --array … -- …    one job

Where the folder of the server is says HQ_SERVER_DIR. The package cannot list jobs, so that their names are kept beside the
server's access file: a new server has a new one, and knows nothing of the jobs of the old.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

from hyperqueue import Client, Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

FOLDER = os.environ["HQ_SERVER_DIR"]


def serve(workers):
    os.makedirs(FOLDER, exist_ok=True)
    cluster = LocalCluster(server_dir=FOLDER)
    for _ in range(workers):
        cluster.start_worker(WorkerConfig(cores=1))
    while True:
        time.sleep(3600)


def names():
    return Path(FOLDER, "hq-current").resolve() / "names.jsonl"


def active(client):
    """The names of the jobs that are not over."""
    known = names()
    jobs = [json.loads(line) for line in known.read_text().splitlines()] if known.exists() else []
    names_of = {job["id"]: job["name"] for job in jobs}
    if not names_of:
        return []
    status = {}

    class Enough(Exception):
        pass

    def once(jobs):
        status.update(jobs)
        raise Enough

    try:
        client.connection.wait_for_jobs(list(names_of), once)
    except Enough:
        pass
    return [{"id": job, "name": names_of[job]} for job, now in status.items() if not now["completed"]]


def numbers(text):
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def submit(client, arguments):
    parser = argparse.ArgumentParser()
    for flag in ["--name", "--array", "--cwd", "--stdout", "--stderr"]:
        parser.add_argument(flag, required=True)
    parser.add_argument("command", nargs="+")
    args = parser.parse_args(arguments)
    assert args.stdout == "none"
    job = Job(name=args.name, default_workdir=args.cwd, max_fails=None)
    for number in numbers(args.array):
        # The package numbers tasks from 0; the command gives them the numbers of the array.
        job.program(
            ["env", f"HQ_TASK_ID={number}", *args.command],
            stdout=None,
            stderr=args.stderr.replace("%{TASK_ID}", str(number)),
        )
    submitted = client.submit(job)
    with open(names(), "a") as file:
        file.write(json.dumps({"id": submitted.id, "name": args.name}) + "\n")
    print(f"Job submitted successfully, job ID: {submitted.id}")


def main():
    arguments = sys.argv[1:]
    if arguments[:2] == ["server", "start"]:
        return serve(int(arguments[3]) if arguments[2:3] == ["--workers"] else 2)
    try:
        client = Client(FOLDER)
    except Exception as error:
        sys.exit(str(error))
    if arguments == ["--output-mode=json", "job", "list"]:
        print(json.dumps(active(client)))
    elif arguments[:1] == ["submit"]:
        submit(client, arguments[1:])
    else:
        sys.exit(f"not known here: {arguments}")


if __name__ == "__main__":
    main()
