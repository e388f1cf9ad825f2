//! Which queue an offset belongs to, and the table of all of them.

use std::collections::BTreeMap;

/// A queue of a topic at a broker. Ordered by topic, broker and number, the order of all files.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageQueue {
    /// The topic: any text.
    pub topic: String,
    /// The name of the broker: any text.
    pub broker: String,
    /// The number of the queue at that broker, 32 bits as in the Java client.
    pub queue_id: i32,
}

impl MessageQueue {
    /// A queue.
    #[must_use]
    pub fn new(topic: impl Into<String>, broker: impl Into<String>, queue_id: i32) -> Self {
        Self {
            topic: topic.into(),
            broker: broker.into(),
            queue_id,
        }
    }
}

/// Offsets by queue. A negative one, which only an original writes, stands for none.
pub type Table = BTreeMap<MessageQueue, i64>;
