import type { ApiConfig } from '@binnacle/contract'
import { Badge } from '#ui/figure/badge.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { copy } from './copy.ts'
import classes from './settings-cards.module.css'

export interface ConfigTableProps {
  configs: readonly ApiConfig[]
}

const columns = copy.configColumns.map((title) => ({ title }))

export function ConfigTable({ configs }: ConfigTableProps) {
  return (
    <Card title={copy.configs}>
      {configs.length === 0 ? (
        <p className={classes.none}>{copy.noConfigs}</p>
      ) : (
        <Table label={copy.configs} columns={columns}>
          {configs.map((config) => (
            <tr key={config.id}>
              <Cell>{config.name}</Cell>
              <Cell mono>{config.endpoint}</Cell>
              <Cell>
                <Badge tone={config.is_enabled ? 'good' : 'calm'} dot>
                  {config.is_enabled ? copy.enabled : copy.disabled}
                </Badge>
              </Cell>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  )
}
