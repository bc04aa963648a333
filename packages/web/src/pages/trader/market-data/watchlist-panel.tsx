import type { Instrument, MarketQuote } from '@binnacle/contract'
import { IconChevronDown, IconChevronUp, IconPlus, IconX } from '@tabler/icons-react'
import { type DragEvent, memo, useMemo, useState } from 'react'
import { useMarketQuotes } from '#data/live-market.ts'
import { marketQueries } from '#data/market-data.ts'
import { formatTickPrice } from '#format/money.ts'
import { useNow } from '#state/now.ts'
import { getPreferences, setPreference, usePreferences } from '#state/preferences.ts'
import { useMarketFreshness } from '#state/topic-freshness.ts'
import { SparkLine } from '#ui/chart/spark-line.tsx'
import { Button } from '#ui/control/button.tsx'
import { SelectField } from '#ui/control/field.tsx'
import { Card } from '#ui/frame/card.tsx'
import { EmptyState } from '#ui/state/empty-state.tsx'
import { FreshnessDot, type FreshnessName } from '#ui/state/freshness-dot.tsx'
import { Loading } from '#ui/state/loading.tsx'
import { Notice } from '#ui/state/notice.tsx'
import { copy } from './copy.ts'
import {
  changeText,
  isOutdated,
  lastPrice,
  quoteFreshness,
  spreadText,
  tickOf,
  toneOfChange,
} from './quote-figures.ts'
import { moveTo, watchedOf } from './watch-order.ts'
import classes from './watchlist-panel.module.css'

export interface WatchlistPanelProps {
  instruments: readonly Instrument[]
  /** The instrument of the chart. */
  chosen: string | undefined
  onChoose: (instrument: string) => void
}

/** MKT-30 */
export function WatchlistPanel({ instruments, chosen, onChoose }: WatchlistPanelProps) {
  const { figures: quotes, isFailed } = useMarketQuotes()
  const list = useMarketFreshness(marketQueries.quotes(true).queryKey)
  const now = useNow()
  const [isAdding, setIsAdding] = useState(false)
  const watched = watchedOf(usePreferences().watchlist, instruments.map(idOf))
  const { add, move, remove } = useWatchlistChanges(instruments)
  const byInstrument = new Map(quotes?.map((quote) => [quote.instrument, quote]))
  const unwatched = instruments.filter(({ id }) => !watched.includes(id))
  return (
    <Card
      title={copy.watchlist.title}
      isFilled
      actions={
        <Button
          kind="quiet"
          aria-label={copy.watchlist.add}
          aria-expanded={isAdding}
          disabled={unwatched.length === 0}
          onClick={() => setIsAdding(!isAdding)}
        >
          <IconPlus size={16} aria-hidden />
        </Button>
      }
    >
      <div className={classes.body}>
        {isAdding && unwatched.length > 0 && (
          <div className={classes.add}>
            <SelectField
              label={copy.watchlist.add}
              labelHidden
              value=""
              options={[
                { value: '', label: copy.watchlist.choose },
                ...unwatched.map(({ id, venue }) => ({ value: id, label: venue ? `${id} · ${venue}` : id })),
              ]}
              onChange={(instrument) => {
                add(instrument)
                setIsAdding(false)
              }}
            />
          </div>
        )}
        {isFailed && <Notice tone="bad" title={copy.watchlist.failed} />}
        {quotes === undefined && !isFailed && <Loading text={copy.loading} lines={8} />}
        {quotes !== undefined && watched.length === 0 && (
          <EmptyState title={copy.watchlist.empty}>{copy.watchlist.emptyHint}</EmptyState>
        )}
        {quotes?.length === 0 && watched.length > 0 && list?.freshness === 'stopped' && (
          <EmptyState title={copy.stopped.title}>{copy.stopped.hint}</EmptyState>
        )}
        <ul className={classes.list} aria-label={copy.watchlist.title}>
          {watched.map((instrument, index) => {
            const quote = byInstrument.get(instrument)
            return (
              quote && (
                <WatchRow
                  key={instrument}
                  quote={quote}
                  listed={instruments.find(({ id }) => id === instrument)}
                  freshness={quoteFreshness(quote, list, now).freshness}
                  isChosen={instrument === chosen}
                  onChoose={onChoose}
                  onMove={move}
                  onRemove={remove}
                  index={index}
                />
              )
            )
          })}
        </ul>
      </div>
    </Card>
  )
}

/** Handlers that stay the same, so that a row renders only for its own figures; each reads the list when it is called. */
function useWatchlistChanges(instruments: readonly Instrument[]) {
  return useMemo(() => {
    const change = (edit: (watched: readonly string[]) => readonly string[]) =>
      setPreference('watchlist', edit(watchedOf(getPreferences().watchlist, instruments.map(idOf))))
    return {
      add: (instrument: string) => change((watched) => [...watched, instrument]),
      move: (instrument: string, to: number) => change((watched) => moveTo(watched, instrument, to)),
      remove: (instrument: string) => change((watched) => watched.filter((other) => other !== instrument)),
    }
  }, [instruments])
}

function idOf({ id }: Instrument): string {
  return id
}

interface WatchRowProps {
  quote: MarketQuote
  listed: Instrument | undefined
  freshness: FreshnessName
  isChosen: boolean
  index: number
  onChoose: (instrument: string) => void
  /** Moves an instrument to the place of a row. */
  onMove: (instrument: string, to: number) => void
  onRemove: (instrument: string) => void
}

const WatchRow = memo(PlainWatchRow)

function PlainWatchRow(props: WatchRowProps) {
  const { quote, listed, freshness, isChosen, index, onChoose, onMove, onRemove } = props
  const { instrument: name, change_percent: change } = quote
  const tick = tickOf(listed)
  const tone = isOutdated(freshness) ? 'calm' : toneOfChange(change)
  const take = (event: DragEvent) => {
    event.preventDefault()
    const dragged = event.dataTransfer.getData(DRAGGED)
    if (dragged !== '') onMove(dragged, index)
  }
  return (
    <li
      className={classes.row}
      aria-current={isChosen || undefined}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, name)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={take}
    >
      <button type="button" className={classes.choose} onClick={() => onChoose(name)}>
        <b title={name}>{listed?.symbol ?? name}</b>
        <span className={classes.venue}>
          <FreshnessDot freshness={freshness} />
          {quote.venue} · {copy.watchlist.spread(spreadText(quote, tick))}
        </span>
        <SparkLine values={quote.spark} tone={tone} size="row" />
        <span className={classes.last} data-outdated={isOutdated(freshness) || undefined}>
          {formatTickPrice(lastPrice(quote), tick)}
        </span>
        <span className={classes.change} data-tone={tone}>
          {changeText(change)}
        </span>
      </button>
      <span className={classes.tools}>
        <button type="button" aria-label={copy.watchlist.up(name)} onClick={() => onMove(name, index - 1)}>
          <IconChevronUp size={14} aria-hidden />
        </button>
        <button type="button" aria-label={copy.watchlist.down(name)} onClick={() => onMove(name, index + 1)}>
          <IconChevronDown size={14} aria-hidden />
        </button>
        <button type="button" aria-label={copy.watchlist.remove(name)} onClick={() => onRemove(name)}>
          <IconX size={14} aria-hidden />
        </button>
      </span>
    </li>
  )
}

const DRAGGED = 'text/x-instrument'
