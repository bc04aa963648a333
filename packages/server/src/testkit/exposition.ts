/** One sample of an exposition. */
export interface ExposedSample {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

const NAME = /^[a-z_:][a-z0-9_:]*$/
const NUMBER = /^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/i
/** What promtool objects to in a name: the type in it, and units that are not base units. */
const POOR_NAME =
  /(?:^|_)(?:gauge|counter|histogram|summary|ms|milliseconds|minutes|hours|kb|mb|percent)(?:_|$)/
/** Names that other metrics' samples have. */
const RESERVED_ENDING = /_(?:bucket|count|sum)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y
const SUFFIXES = {
  counter: [''],
  gauge: [''],
  untyped: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}
type Kind = keyof typeof SUFFIXES

/**
 * Parses the text format of Prometheus (version 0.0.4) strictly: HELP and TYPE once and before the samples of a metric, all
 * lines of a metric together, no sample twice, counters and only they end with _total, histograms are cumulative with
 * +Inf equal to the count, names as promtool wants them. Throws with the line.
 */
export function parseExposition(text: string): ExposedSample[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no line feed')
  const samples: ExposedSample[] = []
  const kinds = new Map<string, Kind>()
  const helped = new Set<string>()
  const ended = new Set<string>()
  const seen = new Set<string>()
  let current = ''
  const enter = (metric: string, line: string) => {
    if (metric === current) return
    if (ended.has(metric)) throw new Error(`${metric} is not in one piece: ${line}`)
    ended.add(current)
    current = metric
  }
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const [, keyword, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (keyword === 'HELP') {
      if (helped.has(name)) throw new Error(`HELP twice: ${line}`)
      if (/(?<!\\)(?:\\\\)*\\(?![\\n])/.test(rest)) throw new Error(`wrong escape: ${line}`)
      helped.add(name)
      enter(name, line)
    } else if (keyword === 'TYPE') {
      if (kinds.has(name) || !(rest in SUFFIXES)) throw new Error(`wrong TYPE: ${line}`)
      // Checked above.
      kinds.set(name, rest as Kind)
      enter(name, line)
      if ((rest === 'counter') !== name.endsWith('_total'))
        throw new Error(`_total is for counters, and for all of them: ${line}`)
      if (POOR_NAME.test(name) || RESERVED_ENDING.test(name)) throw new Error(`a poor name: ${line}`)
    } else if (line.startsWith('#')) {
      throw new Error(`neither HELP nor TYPE: ${line}`)
    } else {
      const sample = parseSample(line)
      const metric = metricOf(sample.name, kinds)
      if (metric === undefined || !helped.has(metric)) throw new Error(`no HELP and TYPE before: ${line}`)
      enter(metric, line)
      const identity = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
      if (seen.has(identity)) throw new Error(`twice: ${line}`)
      seen.add(identity)
      samples.push(sample)
    }
  }
  for (const [metric, kind] of kinds) if (kind === 'histogram') checkHistogram(metric, samples)
  return samples
}

function parseSample(line: string): ExposedSample {
  const [, name = '', labels = '', number = ''] = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  if (!NAME.test(name) || !NUMBER.test(number)) throw new Error(`no sample: ${line}`)
  return { name, labels: parseLabels(labels, line), value: Number(number.replace('Inf', 'Infinity')) }
}

function parseLabels(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const found = LABEL.exec(text)
    if (found === null || (found[1] ?? '') in labels || found[1]?.startsWith('__'))
      throw new Error(`wrong labels: ${line}`)
    labels[found[1] ?? ''] = (found[2] ?? '').replace(/\\(["\\n])/g, (_, c) => (c === 'n' ? '\n' : c))
  }
  return labels
}

function metricOf(name: string, kinds: ReadonlyMap<string, Kind>): string | undefined {
  for (const [metric, kind] of kinds)
    if (SUFFIXES[kind].some((suffix) => `${metric}${suffix}` === name)) return metric
  return undefined
}

function checkHistogram(metric: string, samples: readonly ExposedSample[]): void {
  const buckets = Map.groupBy(
    samples.filter(({ name }) => name === `${metric}_bucket`),
    ({ labels: { le: _, ...others } }) => JSON.stringify(Object.entries(others).sort()),
  )
  for (const [key, series] of buckets) {
    const values = series.map(({ value }) => value)
    const bounds = series.map(({ labels }) => (labels.le === '+Inf' ? Infinity : Number(labels.le)))
    const count = samples.find(
      ({ name, labels }) =>
        name === `${metric}_count` && JSON.stringify(Object.entries(labels).sort()) === key,
    )
    const sum = samples.find(
      ({ name, labels }) => name === `${metric}_sum` && JSON.stringify(Object.entries(labels).sort()) === key,
    )
    const isCumulative = values.every((value, index) => value >= (values[index - 1] ?? 0))
    const isRising = bounds.every((bound, index) => bound > (bounds[index - 1] ?? -Infinity))
    const isComplete = bounds.at(-1) === Infinity && values.at(-1) === count?.value && sum !== undefined
    if (!isCumulative || !isRising || !isComplete)
      throw new Error(`the buckets of ${metric}${key} do not add up`)
  }
}
