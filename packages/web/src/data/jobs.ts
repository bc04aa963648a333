import { type Id, jobs } from '@binnacle/contract'
import { call } from './client.ts'
import { type Command, type CommandOptions, useCommand } from './command.ts'

const CANCEL = ['jobs', 'cancel']

/** Nothing to reload: `followJob` polls the job until it ends. */
export function useCancelJob(options: CommandOptions<Id>): Command<Id> {
  return useCommand(
    { key: CANCEL, subject: String, send: (id) => call(jobs.cancel, { params: { id } }) },
    options,
  )
}
