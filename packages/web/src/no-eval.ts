import { config } from 'zod/v4/core'

// Schemas would compile themselves with `new Function`, which the content policy forbids and reports; this must
// come before the first schema is made.
config({ jitless: true })
