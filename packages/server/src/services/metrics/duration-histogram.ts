/** In seconds. The console's calls take milliseconds, statements and backups up to half a minute. */
const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Durations as Prometheus reads them. Its client's histogram looks labels up by a text per reply, which cost 5 µs. */
export class DurationHistogram {
  /** By bound; the last is for durations above all bounds. */
  readonly #counts = new Float64Array(BOUNDS_S.length + 1)
  #sumS = 0

  add(seconds: number): void {
    let bucket = 0
    while (bucket < BOUNDS_S.length && seconds > (BOUNDS_S[bucket] ?? 0)) bucket += 1
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sumS += seconds
  }

  /** The samples in the text format of Prometheus, each bucket with those below it. */
  print(name: string, labels: string): string[] {
    let count = 0
    const buckets = [...BOUNDS_S, '+Inf'].map((bound, index) => {
      count += this.#counts[index] ?? 0
      return `${name}_bucket{le="${bound}",${labels}} ${count}`
    })
    return [...buckets, `${name}_sum{${labels}} ${this.#sumS}`, `${name}_count{${labels}} ${count}`]
  }
}

export interface LabelledHistogram {
  /** As in the text format: `method="GET",status="200"`. */
  labels: string
  histogram: DurationHistogram
}

export function printHistograms(
  name: string,
  help: string,
  histograms: readonly LabelledHistogram[],
): string {
  const samples = histograms.flatMap(({ labels, histogram }) => histogram.print(name, labels))
  return `${[`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...samples].join('\n')}\n`
}
