use super::chunk::logs;
use super::queue::{Job, Queue, QueueError, QueueInfo, Tool, ranges};
use serde::Deserialize;

/// A running `HyperQueue`, spoken to through its command `hq`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HyperQueue;

const HQ: Tool = Tool {
    program: "hq",
    install: "HyperQueue is one file, at https://github.com/It4innovations/hyperqueue/releases",
    help: "`hq server start` starts a server, HQ_SERVER_DIR says where its folder is, and hq must have its version",
};

/// A job as `hq job list` prints it; only jobs that are not over are listed.
#[derive(Deserialize)]
struct Listed {
    name: String,
}

impl Queue for HyperQueue {
    fn info(&self) -> QueueInfo {
        QueueInfo { name: "HyperQueue", most_tasks: 100_000, patience: 4 }
    }

    fn submit(&self, job: &Job, tasks: &[usize]) -> Result<(), QueueError> {
        // One argument of a command must not be too long.
        for tasks in tasks.chunks(10_000) {
            HQ.ask(&arguments(job, tasks))?;
        }
        Ok(())
    }

    fn is_busy(&self, job: &Job) -> Result<bool, QueueError> {
        let arguments = ["--output-mode=json", "job", "list"].map(str::to_owned);
        let said = HQ.ask(&arguments)?;
        let jobs: Vec<Listed> = serde_json::from_str(&said).map_err(|_| {
            let said = said.chars().take(200).collect();
            QueueError::Unexpected(format!("hq {}", arguments.join(" ")), said, "a list of jobs")
        })?;
        Ok(jobs.iter().any(|listed| listed.name == job.name))
    }

    fn hint(&self, job: &Job) -> String {
        format!(
            "Is {} on a disk that all workers share, and {} too? `hq job list --all` and `hq task list last --filter failed` say more",
            job.root.display(),
            job.program.display()
        )
    }
}

fn arguments(job: &Job, tasks: &[usize]) -> Vec<String> {
    let root = job.root.to_string_lossy().into_owned();
    let errors = logs(&job.root).join("%{TASK_ID}.txt").to_string_lossy().into_owned();
    let array = ranges(tasks);
    let flags = ["submit", "--name", &job.name, "--array", &array, "--cwd", &root];
    let output = ["--stdout", "none", "--stderr", &errors, "--"];
    let flags = flags.into_iter().chain(output).map(str::to_owned);
    flags.chain(job.command("HQ_TASK_ID")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_one_array_of_tasks() {
        let job = Job::new("/shared/oboro".into(), "/shared/run".into());
        let name = &job.name;
        assert_eq!(
            arguments(&job, &[0, 1, 2, 9]).join(" "),
            format!(
                "submit --name {name} --array 0-2,9 --cwd /shared/run --stdout none \
                 --stderr /shared/run/tasks/logs/%{{TASK_ID}}.txt -- \
                 /shared/oboro work /shared/run --task-from HQ_TASK_ID"
            )
        );
    }
}
