import { createStore } from './store.ts'

export type BrowserPermission = NotificationPermission | 'unsupported'

const store = createStore<BrowserPermission>(currentPermission())

/** What this browser says about notifications of this site. */
export function useNotificationPermission(): BrowserPermission {
  return store.use()
}

/** Asks the person, as browsers demand, in reply to a click. */
export function allowNotifications(): void {
  if (typeof Notification === 'undefined') return
  void Notification.requestPermission().then((permission) => store.set(permission))
}

/** Shows a notification; returns false if this browser does not allow it. The tag keeps tabs from showing it twice. */
export function showNotification(title: string, text: string, tag: string): boolean {
  if (currentPermission() !== 'granted') return false
  try {
    new Notification(title, { body: text, tag })
    return true
  } catch {
    // Phones allow them to service workers only.
    return false
  }
}

function currentPermission(): BrowserPermission {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.permission
}
