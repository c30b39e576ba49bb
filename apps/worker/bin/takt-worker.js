#!/usr/bin/env -S node --max-old-space-size=224 --max-semi-space-size=16
// In MB. With the default semi-space of 16 an idle worker needs 35 MB more, and as much time per event. Twelve jobs of
// 10 MB fit into an old space of 160. Without a limit V8 grows beyond a pod's memory instead of collecting.
import '../dist/src/main.js';
