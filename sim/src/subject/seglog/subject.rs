//! The subject `seglog`.

use super::objects::Objects;
use crate::subject::{LogObjects, LogRequest, LogSubject};

/// The hardened segmented log.
#[derive(Debug)]
pub struct SeglogSubject;

impl LogSubject for SeglogSubject {
    fn name(&self) -> &'static str {
        "seglog"
    }

    fn start(&self, request: &LogRequest<'_>) -> Result<Box<dyn LogObjects>, String> {
        if let Some(name) = request.quirks.first() {
            return Err(format!("there is no quirk `{name}`"));
        }
        Ok(Box::new(Objects::new(request)))
    }
}
