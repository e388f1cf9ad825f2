//! The subject `seglog`.

use super::objects::Objects;
use crate::subject::{LogObjects, LogRequest, LogSubject};
use crashline::seglog::Quirks;

/// The hardened segmented log.
#[derive(Debug)]
pub struct SeglogSubject;

impl LogSubject for SeglogSubject {
    fn name(&self) -> &'static str {
        "seglog"
    }

    fn start(&self, request: &LogRequest<'_>) -> Result<Box<dyn LogObjects>, String> {
        let quirks = Quirks::parse(request.quirks.iter().map(String::as_str));
        let quirks = quirks.map_err(|name| format!("there is no quirk `{name}`"))?;
        Ok(Box::new(Objects::new(request, quirks)))
    }
}
