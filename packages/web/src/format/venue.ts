interface VenueFields {
  venue?: string | undefined
  kind?: string | undefined
}

/** Venue and kind of an instrument, as far as known; they distinguish instruments of the same name. */
export function formatVenue({ venue, kind }: VenueFields): string {
  return [venue, kind].filter((word) => word !== undefined).join(' ')
}
