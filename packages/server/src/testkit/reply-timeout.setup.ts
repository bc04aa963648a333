import { replyTimeout } from '#services/jobs/answer-in-time.ts'

// A slow machine must not turn the reply of a test into a job to poll.
replyTimeout.ms = 600_000
