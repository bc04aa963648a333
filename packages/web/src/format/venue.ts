interface Traded {
  venue?: string | undefined
  kind?: string | undefined
}

/** Where and as what an instrument is traded, as far as it is told: what tells it from those of like name. */
export function formatVenue({ venue, kind }: Traded): string {
  return [venue, kind].filter((word) => word !== undefined).join(' ')
}
