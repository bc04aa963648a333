import { dataSets as calls, DataSetReport } from '@binnacle/contract'
import type { FastifyInstance } from 'fastify'
import { JobReply } from '#http/job-reply.ts'
import { mount } from '#http/mount.ts'
import { notFound, Refused } from '#http/problems.ts'
import { parseRowId } from '#http/row-id.ts'
import { answerInTime } from '#services/jobs/answer-in-time.ts'
import type { Jobs } from '#services/jobs/job-runner.ts'
import { type DataSets, IMPORT_KIND } from './data-sets/data-sets.ts'

/** Serves the import of data sets. */
export function addDataSetRoutes(app: FastifyInstance, sets: DataSets, jobs: Jobs): void {
  mount(app, calls.list, () => ({ data_sets: sets.list(), upload_limit_bytes: sets.uploadLimitBytes }))

  mount(app, calls.upload, ({ query }, { file }) => sets.upload(file, query.filename))

  mount(app, calls.preview, ({ body }) => sets.preview(body))

  mount(app, calls.import, async ({ body }, { audit }) => {
    const started = await sets.startImport(audit, body)
    if (started instanceof Refused) return started
    return new JobReply(started.id, `'${started.title}' runs as job ${started.id}.`)
  })

  mount(app, calls.progress, async ({ params }) => {
    const job = await jobs.find(parseRowId(params.id))
    if (job?.kind !== IMPORT_KIND) return notFound('import', params.id)
    const report = job.result === null ? null : DataSetReport.parse(JSON.parse(job.result))
    const { id, title, state, progress, message, error } = job
    return { job_id: id, title, state, progress, message, error, report }
  })

  mount(app, calls.gaps, ({ params, query }) => sets.gaps(params.name, query.instrument))

  mount(app, calls.delete, async ({ params }, { audit }) => {
    const started = await sets.delete(audit, params.name)
    return started instanceof Refused ? started : answerInTime(started, (message) => ({ message }))
  })
}
