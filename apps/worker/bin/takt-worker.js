#!/usr/bin/env -S node --max-semi-space-size=16
// In MB. With 16, which Node.js would take, an idle worker holds 35 MB more, and spends as much time on an event.
import '../dist/src/main.js';
