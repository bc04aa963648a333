import { type Kysely, sql } from 'kysely'

/**
 * A connection's number is given out again when the admin store is restored, so backups belong to a random identity and
 * name the target that was backed up. Backups of earlier versions stay with the connection that listed them; their
 * target is unknown.
 */
export async function addConnectionIdentities(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE connections ADD COLUMN identity TEXT NOT NULL DEFAULT ''`.execute(db)
  await sql`UPDATE connections SET identity = lower(hex(randomblob(16)))`.execute(db)
  await sql`CREATE UNIQUE INDEX connections_by_identity ON connections (identity)`.execute(db)
  await sql`ALTER TABLE backups ADD COLUMN identity TEXT NOT NULL DEFAULT ''`.execute(db)
  await sql`ALTER TABLE backups ADD COLUMN target TEXT NOT NULL DEFAULT ''`.execute(db)
  // Own and configured stores have names instead of numbers, which are their identity.
  await sql`UPDATE backups SET identity = connection WHERE connection NOT GLOB '[0-9]*'`.execute(db)
  await sql`
    UPDATE backups SET identity = owner.identity FROM connections AS owner
    WHERE backups.connection = CAST(owner.id AS TEXT) AND backups.type = owner.type`.execute(db)
  await sql`CREATE INDEX backups_by_identity ON backups (identity, id)`.execute(db)
  await sql`
    UPDATE backup_retention SET connection = owner.identity FROM connections AS owner
    WHERE backup_retention.connection = CAST(owner.id AS TEXT)`.execute(db)
}
