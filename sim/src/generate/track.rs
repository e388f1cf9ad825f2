//! What a generator knows of the queue while it writes steps: whether it is open, and how much
//! there is to read. The reference model lies above the generators and is not used here.

use crate::scenario::{Action, FifoOptions};

/// A queue, as far as its generator cares.
#[derive(Debug, Clone)]
pub(super) struct Track {
    /// The options in force.
    pub options: FifoOptions,
    /// The object is open.
    pub open: bool,
    depth: usize,
    /// What is left for an object that only looks.
    look: Option<usize>,
}

impl Track {
    /// A new queue, open.
    pub(super) fn new(options: FifoOptions) -> Self {
        Self {
            options,
            open: true,
            depth: 0,
            look: None,
        }
    }

    /// How many messages there are to read.
    pub(super) fn depth(&self) -> usize {
        self.look.unwrap_or(self.depth)
    }

    /// Follows an operation.
    pub(super) fn follow(&mut self, action: &Action) {
        match action {
            Action::Put { size } => self.put(std::slice::from_ref(size)),
            Action::PutBatch { sizes } => self.put(sizes),
            Action::Read => {
                let depth = self.look.as_mut().unwrap_or(&mut self.depth);
                *depth = depth.saturating_sub(1);
            }
            Action::Empty => self.depth = 0,
            Action::Open { options } => {
                self.options = options.unwrap_or(self.options);
                self.open = true;
            }
            Action::OpenReadOnly => {
                self.open = true;
                self.look = Some(self.depth);
            }
            Action::Delete => {
                self.depth = 0;
                self.open = false;
            }
            Action::Close | Action::Kill => {
                self.open = false;
                self.look = None;
            }
            Action::Peek | Action::Depth | Action::Sync | Action::Tick { .. } | Action::Settle => {}
        }
    }

    fn put(&mut self, sizes: &[u32]) {
        let limits = self.options.message_bytes_min..=self.options.message_bytes_max;
        if sizes.iter().all(|size| limits.contains(size)) {
            self.depth += sizes.len();
        }
    }
}
