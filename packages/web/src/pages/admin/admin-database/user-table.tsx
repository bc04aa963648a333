import type { User } from '@binnacle/contract'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { copy } from './copy.ts'
import classes from './settings-cards.module.css'

export interface UserTableProps {
  users: readonly User[]
}

const columns = copy.userColumns.map((title) => ({ title }))

export function UserTable({ users }: UserTableProps) {
  return (
    <Card title={copy.users}>
      {users.length === 0 ? (
        <p className={classes.none}>{copy.noUsers}</p>
      ) : (
        <Table label={copy.users} columns={columns}>
          {users.map((user) => (
            <tr key={user.id}>
              <Cell>{user.username}</Cell>
              <Cell>{user.email || copy.noEmail}</Cell>
              <Cell>{user.role}</Cell>
              <Cell>
                <Badge tone={user.is_active ? 'good' : 'calm'} dot>
                  {user.is_active ? copy.active : copy.inactive}
                </Badge>
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  )
}
