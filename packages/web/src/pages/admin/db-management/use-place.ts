import { useSearchParams } from 'react-router'
import { type Place, readPlace, writePlace } from './place.ts'

export function usePlace(): [place: Place, go: (place: Place) => void] {
  const [params, setParams] = useSearchParams()
  return [readPlace(params), (place) => setParams(writePlace(place))]
}
