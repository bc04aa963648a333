import type { ConnectionTest } from '@binnacle/contract'
import { copy } from '#pages/admin/db-management/copy.ts'
import { Notice } from '#ui/state/notice.tsx'

export interface ConnectionVerdictProps {
  result: ConnectionTest
}

/** DB-31: the result of a test before saving, with the warnings of the server. */
export function ConnectionVerdict({ result }: ConnectionVerdictProps) {
  if (!result.success) return <Notice tone="bad" title={copy.test.refused(result.error, result.step)} />
  const title = copy.test.succeeded(result.version, result.response_time)
  const { warnings = [] } = result
  if (warnings.length === 0) return <Notice tone="good" title={title} />
  return (
    <Notice tone="warn" title={title}>
      {warnings.join(' ')}
    </Notice>
  )
}
