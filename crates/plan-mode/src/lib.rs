//! Plan mode: a soft stance of guidance and reviewed exit. Guides, never blocks.
