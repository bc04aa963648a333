import { StoreRefusal } from '#store-refusal.ts'

/**
 * STORE-27: what an object planted in a database (view, operator, cast, domain, falsely marked function) could use when
 * it is merely read. Inside a READ ONLY transaction the rights of the role are the last bar, so these are too many:
 *
 * | right | what it reaches |
 * |---|---|
 * | superuser | everything |
 * | REPLICATION | replication slots and the stream of all changes |
 * | pg_read_server_files, pg_write_server_files, pg_execute_server_program | files and programs of the server |
 * | pg_signal_backend | sessions of others |
 *
 * BYPASSRLS, CREATEROLE, CREATEDB and pg_read_all_data are no reason to refuse: they read rows of this database, or
 * write, which the transaction prevents. A role that may SET ROLE to one of these counts as having its rights.
 */
export interface Privileges {
  role: string
  /** Such as 'a superuser'; undefined for a role that is suitable for reading. */
  excess: string | null
  canReadAllData: boolean
}

/** One row with the fields of Privileges. Runs on every supported version. */
export const PRIVILEGES = `
  SELECT session_user AS role,
    EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = 'pg_read_all_data') AS "canReadAllData",
    (SELECT CASE
        WHEN rolsuper AND rolname = session_user THEN 'a superuser'
        WHEN rolsuper THEN 'a member of the superuser ' || rolname
        WHEN rolreplication AND rolname = session_user THEN 'a replication role'
        WHEN rolreplication THEN 'a member of the replication role ' || rolname
        ELSE 'a member of ' || rolname END
      FROM pg_catalog.pg_roles
      WHERE pg_catalog.pg_has_role(session_user, oid, 'MEMBER') AND (rolsuper OR rolreplication OR rolname IN
        ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program', 'pg_signal_backend'))
      ORDER BY rolname <> session_user, NOT rolsuper, NOT rolreplication, rolname LIMIT 1) AS excess`

export function tooPrivileged(privileges: Privileges): StoreRefusal {
  return new StoreRefusal(
    'store.refused',
    `${excessOf(privileges)} Reading is refused. ${adviceOn(privileges)}`,
  )
}

export function privilegeWarning(privileges: Privileges): string {
  return `${excessOf(privileges)} ${adviceOn(privileges)}`
}

function excessOf({ role, excess }: Privileges): string {
  return `The role ${role} is ${excess}: what others put into the database could reach files, other databases or sessions as soon as it is read.`
}

function adviceOn({ canReadAllData }: Privileges): string {
  const grant = canReadAllData ? 'GRANT pg_read_all_data' : 'GRANT SELECT ON ALL TABLES IN SCHEMA public'
  return `Connect with a role for reading: CREATE ROLE binnacle_reader LOGIN PASSWORD '...'; ${grant} TO binnacle_reader; Or accept the risk in the settings of the connection.`
}
