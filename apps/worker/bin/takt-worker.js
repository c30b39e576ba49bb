#!/usr/bin/env -S node --max-old-space-size=224 --max-semi-space-size=16
// In MB. With a semi-space of 16, which Node.js would take, an idle worker holds 35 MB more, and spends as much time on an event.
// Jobs of 16 MB, as many as it takes at once, need 160; without a limit V8 would rather grow than collect, beyond a pod's memory.
import '../dist/src/main.js';
