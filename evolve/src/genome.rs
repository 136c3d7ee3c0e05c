use crate::Breeder;
use oboro_core::Rng;

/// A genetic algorithm on a fixed number of genes, each between 0 and 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GenomeBreeder {
    /// How many genes an individual has.
    pub length: usize,
}

impl Breeder for GenomeBreeder {
    type Individual = Vec<f64>;

    fn create(&self, _number: usize, rng: &mut Rng) -> Vec<f64> {
        (0..self.length).map(|_| rng.unit()).collect()
    }

    /// Uniform crossover: every gene from either parent.
    fn cross(&self, first: &Vec<f64>, second: &Vec<f64>, rng: &mut Rng) -> Vec<f64> {
        let pairs = first.iter().zip(second);
        pairs.map(|(&a, &b)| if rng.chance(0.5) { a } else { b }).collect()
    }

    /// One gene is drawn anew.
    fn mutate(&self, one: &Vec<f64>, rng: &mut Rng) -> Vec<f64> {
        let mut child = one.clone();
        if !child.is_empty() {
            let at = rng.below(child.len());
            child[at] = rng.unit();
        }
        child
    }

    fn check(&self, one: &Vec<f64>) -> Result<(), String> {
        if one.len() != self.length {
            return Err(format!("{} genes, not {}", one.len(), self.length));
        }
        match one.iter().find(|gene| !(0.0..=1.0).contains(*gene)) {
            Some(gene) => Err(format!("a gene of {gene}, not between 0 and 1")),
            None => Ok(()),
        }
    }

    fn size(&self, one: &Vec<f64>) -> usize {
        one.len()
    }
}
