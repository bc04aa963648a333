import type { DeletedStrategy } from '@binnacle/contract'
import { formatWinRate } from '#format/percent.ts'
import { formatInstant } from '#format/time.ts'
import { Gain } from '#ui/figure/gain.tsx'
import { Card } from '#ui/frame/card.tsx'
import { Cell, Table } from '#ui/list/table.tsx'
import { copy } from './copy.ts'

export interface DeletedStrategiesProps {
  strategies: readonly DeletedStrategy[]
}

/** The results of deleted strategies, which stay part of the account's. */
export function DeletedStrategies({ strategies }: DeletedStrategiesProps) {
  return (
    <Card title={copy.deleted.title}>
      <Table label={copy.deleted.title} columns={COLUMNS}>
        {strategies.map(({ id, name, type, deleted_at, performance }) => (
          <tr key={id}>
            <Cell>{name}</Cell>
            <Cell>{type}</Cell>
            <Cell align="end">
              <Gain amount={performance.total_pnl} />
            </Cell>
            <Cell align="end">{performance.total_trades}</Cell>
            <Cell align="end">
              {performance.win_rate === null ? copy.noFigure : formatWinRate(performance.win_rate)}
            </Cell>
            <Cell>{formatInstant(deleted_at)}</Cell>
          </tr>
        ))}
      </Table>
    </Card>
  )
}

const COLUMNS = [
  { title: copy.dialog.name },
  { title: copy.dialog.type },
  { title: copy.pnl, align: 'end' },
  { title: copy.trades, align: 'end' },
  { title: copy.winRate, align: 'end' },
  { title: copy.deleted.at },
] as const
