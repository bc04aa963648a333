declare const brand: unique symbol

/** A value that only its checked constructor can create; at run time it is the bare value. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name }
