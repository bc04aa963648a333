import type { Connection, Id } from '@binnacle/contract'
import { copy } from '#pages/admin/db-management/copy.ts'
import { Badge } from '#ui/figure/badge.tsx'
import { PickItem, PickList } from '#ui/list/pick-list.tsx'
import classes from './connections.module.css'

export interface ConnectionsListProps {
  connections: readonly Connection[]
  selectedId: Id | undefined
  onSelect: (connection: Connection) => void
}

export function ConnectionsList({ connections, selectedId, onSelect }: ConnectionsListProps) {
  return (
    <PickList label={copy.connections}>
      {connections.map((connection) => (
        <PickItem
          key={String(connection.id)}
          isPicked={connection.id === selectedId}
          onPick={() => onSelect(connection)}
        >
          <span className={classes.head}>
            <strong>{connection.name}</strong>
            {connection.is_active === 0 && <Badge tone="calm">{copy.inactive}</Badge>}
            {connection.is_builtin === 1 && <Badge tone="info">{copy.builtin}</Badge>}
            {connection.writable && <Badge tone="warn">{copy.writable}</Badge>}
            {connection.accept_privileged_role && <Badge tone="warn">{copy.privilegedRole}</Badge>}
          </span>
          <span className={classes.foot}>
            <span>{connection.type}</span>
            <span className={classes.database}>{connection.database_name}</span>
          </span>
        </PickItem>
      ))}
    </PickList>
  )
}
