import { paths } from '#paths.ts'
import { TextLink } from '#ui/control/text-link.tsx'
import { copy } from './copy.ts'

export interface RecordLinkProps {
  entity: string
  target: string
}

/** ADB-17: from a changed thing to its audit records. */
export function RecordLink({ entity, target }: RecordLinkProps) {
  const query = new URLSearchParams({ tab: 'audit', entity, target })
  return <TextLink to={`${paths.adminDatabasePage}?${query}`}>{copy.audit.records}</TextLink>
}
