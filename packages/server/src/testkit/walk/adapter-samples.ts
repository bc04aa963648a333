import { serverAuditContext } from '#storage/audit/audit-context.ts'
import type { Adapters } from '#trading/adapters/adapters.ts'
import type { Sample } from './admin-samples.ts'

const ID = 'okx'

/** Requests for the calls of adapters. The adapter is first put into the state that the call changes. */
export const ADAPTER_SAMPLES: Record<string, (adapters: Adapters) => Sample | Promise<Sample>> = {
  'adapters.connect': (adapters) => switched(adapters, false),
  'adapters.disconnect': (adapters) => switched(adapters, true),
  'adapters.test': () => ({ params: { adapter_id: ID } }),
  'adapters.configure': async (adapters) => ({
    params: { adapter_id: ID },
    body: {
      version: (await adapters.list()).find(({ id }) => id === ID)?.config?.version,
      reconnect_after_s: 1,
      reconnect_max_s: 60,
      faults: { latency_ms: 0, clock_skew_ms: 0, wrong_key: false, missing_symbols: [], dropped: false },
    },
  }),
  'adapters.connectAll': async (adapters) => {
    await switched(adapters, false)
    return {}
  },
  'adapters.disconnectAll': async (adapters) => {
    await switched(adapters, true)
    return {}
  },
  'adapters.testAll': () => ({}),
}

async function switched(adapters: Adapters, isConnected: boolean): Promise<Sample> {
  await adapters.switch(serverAuditContext('a sample'), ID, isConnected)
  return { params: { adapter_id: ID } }
}
