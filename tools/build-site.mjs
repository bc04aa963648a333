import { ROOT } from './launch/project.mjs'
import { endWithSentence } from './launch/sentence.mjs'
import { buildSite } from './launch/site.mjs'

await endWithSentence(() => buildSite(ROOT, process.env, { always: true }))
