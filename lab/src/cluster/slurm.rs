use super::chunk::logs;
use super::queue::{Job, Queue, QueueError, QueueInfo, Tool, ranges};
use oboro_store::write_whole;

/// A Slurm cluster, spoken to through `sbatch` and `squeue`. Partition, account, memory and time limit are those of the
/// environment (`SBATCH_PARTITION`, `SBATCH_ACCOUNT`, …) or the cluster's defaults.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Slurm;

const INSTALL: &str = "run this on a machine from which jobs are submitted";
const SBATCH: Tool = Tool {
    program: "sbatch",
    install: INSTALL,
    help: "SBATCH_PARTITION, SBATCH_ACCOUNT and SBATCH_TIMELIMIT say what your cluster wants to know",
};
const SQUEUE: Tool = Tool { program: "squeue", install: INSTALL, help: "is the cluster up?" };

impl Queue for Slurm {
    /// Slurm's own limit for the numbers of an array is 1000, unless a cluster sets another (`MaxArraySize`).
    fn info(&self) -> QueueInfo {
        QueueInfo { name: "Slurm", most_tasks: 1000, patience: 20 }
    }

    fn submit(&self, job: &Job, tasks: &[usize]) -> Result<(), QueueError> {
        let path = job.root.join("tasks/slurm.sh");
        let file = path.to_string_lossy().into_owned();
        write_whole(&path, &script(job)).map_err(|error| {
            QueueError::Refused(format!("writing {file}"), error.to_string(), SBATCH.help)
        })?;
        let log = logs(&job.root).join("%a.txt").to_string_lossy().into_owned();
        let array = ranges(tasks);
        SBATCH.ask(&["--array", &array, "--output", &log, &file].map(str::to_owned)).map(drop)
    }

    fn is_busy(&self, job: &Job) -> Result<bool, QueueError> {
        let arguments = ["--noheader", "--name", &job.name, "--format", "%i"];
        Ok(!SQUEUE.ask(&arguments.map(str::to_owned))?.trim().is_empty())
    }

    fn hint(&self, job: &Job) -> String {
        format!(
            "Is {} on a disk that all nodes share, and {} too? `sacct --name {}` says more",
            job.root.display(),
            job.program.display(),
            job.name
        )
    }
}

/// The script of a job array.
fn script(job: &Job) -> String {
    // In single quotes a shell leaves everything as it is but a single quote.
    let quote = |word: &String| format!("'{}'", word.replace('\'', r"'\''"));
    let command = job.command("SLURM_ARRAY_TASK_ID");
    let command: Vec<String> = command.iter().map(quote).collect();
    format!(
        "#!/bin/sh\n#SBATCH --job-name={}\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n#SBATCH --requeue\nexec {}\n",
        job.name,
        command.join(" ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_of_a_job_array_is_as_it_is_in_the_documentation() {
        let job = Job::new("/shared/oboro".into(), "/shared/thesis".into());
        let docs = include_str!("../../../docs/how-to/run-on-a-cluster.md");
        let script = script(&job);
        assert!(
            docs.contains(&format!("```sh\n{script}```")),
            "docs/how-to/run-on-a-cluster.md lacks\n{script}"
        );
    }

    #[test]
    fn paths_with_quotes_and_spaces_stay_whole() {
        let job = Job::new("/bin/oboro".into(), "/it's my/run".into());
        assert!(script(&job).contains(r"'/it'\''s my/run'"), "{}", script(&job));
    }
}
