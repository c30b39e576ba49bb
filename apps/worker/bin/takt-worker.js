#!/usr/bin/env -S node --max-old-space-size=224 --max-semi-space-size=16
// In MB. With a semi-space of 16, which Node.js would take, an idle worker holds 35 MB more, and spends as much time on an event.
// Twelve jobs of 10 MB pass with an old space of 160. Without a limit V8 would rather grow than collect, beyond a pod's memory.
import '../dist/src/main.js';
