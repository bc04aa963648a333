/** Each runs on the keys of `fillRedis`, at its limit where it has one. */
export const READS_AT_BOUND: readonly string[] = `PING
ECHO a
TIME
INFO
DBSIZE
LASTSAVE
RANDOMKEY
EXISTS big:set
TYPE big:set
TTL big:set
PTTL big:set
EXPIRETIME big:set
PEXPIRETIME big:set
OBJECT ENCODING big:set
STRLEN long
GETBIT long 7
BITFIELD_RO long GET u8 0
HLEN big:hash
HEXISTS big:hash m1
HSTRLEN big:hash m1
HTTL big:hash FIELDS 1 m1
HPTTL big:hash FIELDS 1 m1
HEXPIRETIME big:hash FIELDS 1 m1
HPEXPIRETIME big:hash FIELDS 1 m1
LLEN big:list
LINDEX big:list 50000
SCARD big:set
SISMEMBER big:set m1
SMISMEMBER big:set m1 m2
ZCARD big:zset
ZCOUNT big:zset -inf +inf
ZRANK big:zset m9
ZREVRANK big:zset m9
ZSCORE big:zset m9
ZMSCORE big:zset m9
ZLEXCOUNT big:zset - +
XLEN big:stream
GEOPOS big:zset m1
GEODIST big:zset m1 m2
GEOHASH big:zset m1
COMMAND LIST FILTERBY PATTERN x*
MEMORY USAGE big:set
MEMORY USAGE big:set SAMPLES 1000
DUMP small:set
DUMP text
SCAN 0
SCAN 0 COUNT 10000
SCAN 0 MATCH *b*i*g* COUNT 10000
HSCAN big:hash 0 COUNT 10000
SSCAN big:set 0 COUNT 10000
ZSCAN big:zset 0 COUNT 10000
GET text
MGET text half:none
GETRANGE long 0 16777215
GETRANGE long -16777216 -1
SUBSTR long 1 16777216
BITCOUNT text
BITCOUNT long 0 16777215
BITCOUNT long 0 134217727 BIT
BITPOS text 1
BITPOS long 1 1 -1
HGET big:hash m1
HMGET big:hash m1 m2
HGETALL small:hash
HKEYS small:hash
HVALS small:hash
HRANDFIELD big:hash 10000
HRANDFIELD big:hash -10000
LRANGE big:list -10000 -1
LRANGE big:list 0 9999
LPOS seen:list none
LPOS big:list none MAXLEN 100000
SMEMBERS small:set
SRANDMEMBER big:set
SRANDMEMBER big:set -10000
SINTER small:set big:set big:set
SUNION half:set half:set
SDIFF half:set half:set
SINTERCARD 2 half:set big:set
ZINTERCARD 2 half:zset big:zset
SORT_RO small:list ALPHA
ZRANGE big:zset 0 9999
ZRANGE big:zset 0 +inf BYSCORE LIMIT 100000 10000
ZRANGE small:zset - + BYLEX
ZREVRANGE big:zset -10000 -1
ZRANGEBYSCORE big:zset -inf +inf LIMIT 0 10000
ZRANGEBYSCORE small:zset -inf +inf
ZRANGEBYLEX big:zset - + LIMIT 0 10000
ZREVRANGEBYSCORE big:zset +inf -inf LIMIT 0 10000
ZREVRANGEBYLEX big:zset + - LIMIT 0 10000
ZRANDMEMBER big:zset -10000
ZINTER 2 small:zset big:zset
ZUNION 2 half:zset half:zset
ZDIFF 2 half:zset half:set
XRANGE small:stream - +
XRANGE big:stream - + COUNT 10000
XREVRANGE big:stream + - COUNT 10000
XREAD STREAMS small:stream 0
XREAD COUNT 5000 STREAMS big:stream big:stream 0 0
XINFO STREAM big:stream
XINFO GROUPS big:stream
XINFO CONSUMERS grouped readers
XPENDING grouped readers
XPENDING grouped readers - + 10000
GEOSEARCH seen:zset FROMLONLAT 0 0 BYRADIUS 30000 km COUNT 10000
GEORADIUS_RO small:zset 0 0 30000 km
GEORADIUSBYMEMBER_RO small:zset m1 30000 km`.split('\n')
