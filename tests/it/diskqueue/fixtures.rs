//! Directories that the original left are opened, drained, compared, and then used on.

use super::support::{directory_with, drain, fixtures, names_in, open};

#[test]
fn every_fixture_gives_what_its_description_says() {
    for fixture in fixtures() {
        let title = &fixture.title;
        let expected = &fixture.expected;
        let directory = directory_with(&fixture.files);
        let opened = open(directory.path(), &expected.name, expected.options()).unwrap();
        assert!(opened.losses.is_empty(), "{title}: {:?}", opened.losses);
        let mut queue = opened.queue;
        let depth = usize::try_from(queue.depth().unwrap()).unwrap();
        let (messages, losses) = drain(&mut queue);
        assert!(losses.is_empty(), "{title}: {losses:?}");
        assert_eq!(messages.len(), depth, "{title}: the depth");
        assert_eq!(queue.depth().unwrap(), 0, "{title}");
        let unread = expected.unread();
        let again = messages.len() - unread.len();
        let allowed = match expected.depth {
            Some(depth) => {
                assert_eq!(usize::try_from(depth).unwrap(), messages.len(), "{title}");
                0
            }
            None => expected.read_before.unwrap_or(0),
        };
        assert!(again <= allowed, "{title}: {again} came again");
        assert!(messages[again..] == unread, "{title}: the messages");
    }
}

#[test]
fn every_fixture_is_used_on() {
    for fixture in fixtures() {
        let title = &fixture.title;
        let expected = &fixture.expected;
        let directory = directory_with(&fixture.files);
        let reopen = || open(directory.path(), &expected.name, expected.options()).unwrap();
        let mut queue = reopen().queue;
        let before = queue.depth().unwrap();
        let first = queue.read().unwrap();
        assert_eq!(first.is_some(), before > 0, "{title}");
        let left = queue.depth().unwrap();
        for size in [0, 1, 70, 500] {
            queue.put(&vec![7; size]).unwrap();
        }
        queue.close().unwrap();

        let mut queue = reopen().queue;
        assert_eq!(queue.depth().unwrap(), left + 4, "{title}");
        let (messages, losses) = drain(&mut queue);
        assert!(losses.is_empty(), "{title}: {losses:?}");
        let sizes: Vec<usize> = messages.iter().map(Vec::len).collect();
        assert!(sizes.ends_with(&[0, 1, 70, 500]), "{title}: {sizes:?}");
        assert_eq!(messages.len() as u64, left + 4, "{title}");
        queue.close().unwrap();
        let names = names_in(directory.path());
        let has = |ending: &str| names.iter().filter(|name| name.ends_with(ending)).count();
        assert_eq!(
            has(".dat"),
            2,
            "{title}: the meta and one segment: {names:?}"
        );
        assert_eq!(has(".bad"), 0, "{title}: {names:?}");
        assert_eq!(has(".sums"), 1, "{title}: {names:?}");

        assert_eq!(reopen().queue.depth().unwrap(), 0, "{title}");
    }
}
