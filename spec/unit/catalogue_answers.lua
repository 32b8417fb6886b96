-- The result of each built-in's example, as an expression, one per line. None comes from this module's own output: they are answers of
-- the reference (tools/oracle/ask), digests and dates of other programs (sha256sum, Python's uuid, ipaddress), or written by hand.
local rows = [==[
abs                 2.5
abspath             "/srv/app"
alltrue             true
anytrue             true
assumeequal         "1"
assumelistlength    tolist(["a", "b"])
assumelistlengthmax tolist(["a", "b"])
assumelistlengthmin tolist(["a", "b"])
assumemaplength     tomap({ a = 1 })
assumemaplengthmax  tomap({ a = 1 })
assumemaplengthmin  tomap({ a = 1 })
assumenotnull       "eu-west-1"
assumesetlength     toset(["a"])
assumesetlengthmax  toset(["a"])
assumesetlengthmin  toset(["a", "b"])
assumestringprefix  "vpc-12ab"
base64decode        "Hello"
base64encode        "SGVsbG8="
base64gunzip        "hello"
base64gzip          "hello"
base64sha256        "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="
base64sha512        "m3HSJL1i83hdltRq0+o9czGb+8KJDKra4t/3JRlnPKcjI8PZm6XBHXx6zG4UuMXaDEZjR1wuXDre9G9zvN7AQw=="
basename            "site.json"
bcrypt              "$2a$04$"
can                 false
ceil                6
chomp               "hello"
chunklist           tolist([tolist([1, 2]), tolist([3, 4]), tolist([5])])
cidrcontains        true
cidrhost            "10.12.113.12"
cidrnetmask         "255.240.0.0"
cidrsubnet          "172.18.0.0/16"
cidrsubnets         tolist(["10.1.0.0/20", "10.1.16.0/20", "10.1.32.0/24", "10.1.48.0/20"])
coalesce            "c"
coalescelist        ["a"]
compact             tolist(["a", "b"])
concat              ["a", "b", "c"]
contains            true
convert             tolist(["1", "2"])
csvdecode           tolist([{ id = "1", name = "Ann" }, { id = "2", name = "Bob" }])
dirname             "conf/sites"
distinct            tolist(["b", "a"])
element             "b"
endswith            true
ephemeralasnull     { a = 1 }
file                "Hello there\n"
filebase64          "SGVsbG8gdGhlcmUK"
filebase64sha256    "l/JJSBVsXqSRvaPQXRKzNMV0CeO3RucyFVhbL+mfsJg="
filebase64sha512    "m8eqjY7+4aYFnMPmt100EtVdchMrU+Yt4YDiaSfLpGXJiPECC5rS7y3FfvZq53emIgK0gRZLJYARy2UcYk/Miw=="
fileexists          true
filemd5             "c865cc004a5d11909ef62ed025c14447"
fileset             toset(["beta.txt"])
filesha1            "0de8c7f2bce77531a313077b687f174e8e49169b"
filesha256          "97f24948156c5ea491bda3d05d12b334c57409e3b746e73215585b2fe99fb098"
filesha512          "9bc7aa8d8efee1a6059cc3e6b75d3412d55d72132b53e62de180e26927cba465c988f1020b9ad2ef2dc57ef66ae777a62202b481164b258011cb651c624fcc8b"
flatten             ["a", "b", "c"]
floor               -3
format              "disk has 3 of 099.5%"
formatdate          "Wed, 09 Apr 2031 at 07:05"
formatlist          tolist(["a-7", "b-7"])
indent              "a:\n  b"
index               1
issensitive         false
join                "a, b"
jsondecode          { a = [1, true] }
jsonencode          "{\"a\":\"x\",\"b\":[1,null]}"
keys                ["a", "b"]
length              2
log                 4
lookup              0
lower               "hello"
matchkeys           tolist(["i-2"])
max                 54
md5                 "5d41402abc4b2a76b9719d911017c592"
merge               { a = 1, b = 3 }
min                 3
nonsensitive        "public"
one                 "a"
parseint            255
pathexpand          "conf/site.json"
plantimestamp       true
pow                 1024
range               tolist([1, 4, 7])
regex               "abc"
regexall            tolist(["10", "12"])
replace             "<1> + <2>"
reverse             [3, 2, 1]
rsadecrypt          false
sensitive           true
setintersection     toset(["b"])
setproduct          tolist([["a", 1], ["a", 2], ["b", 1], ["b", 2]])
setsubtract         toset(["a"])
setunion            toset(["a", "b", "c"])
sha1                "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"
sha256              "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
sha512              "9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca72323c3d99ba5c11d7c7acc6e14b8c5da0c4663475c2e5c3adef46f73bcdec043"
signum              -1
slice               ["b", "c"]
sort                tolist(["C", "a", "b"])
split               tolist(["a", "b", "c"])
startswith          true
strcontains         true
strrev              "cba"
substr              "world"
sum                 33.5
templatefile        "1. A\n2. B\n"
templatestring      ["Hi Ada!"]
textdecodebase64    "hi"
textencodebase64    "aABpAA=="
timeadd             "2031-04-07T19:05:03Z"
timecmp             0
timestamp           1
title               "Hello World"
tobool              true
tolist              tolist(["a", "1"])
tomap               tomap({ a = "1", b = "x" })
tonumber            1.5
toset               toset(["a", "b"])
tostring            "1.5"
transpose           tomap({ x = tolist(["a"]), y = tolist(["a", "b"]) })
trim                "hello"
trimprefix          "1.2"
trimspace           "hello"
trimsuffix          "main"
try                 0
type                type([0, ""])
upper               "NAÏVE"
urldecode           "a b&c"
urlencode           "a+b%26c"
uuid                36
uuidv5              "2ed6657d-e927-568b-95e1-2665a8aea6a2"
values              [2, 1]
yamldecode          { a = [1, true] }
yamlencode          "\"a\": \"x\"\n\"b\":\n- 1\n- null\n"
zipmap              { a = 1, b = 2 }
]==]

local answers = {}
for name, answer in rows:gmatch "(%w+) +([^\n]+)" do answers[name] = answer end
return answers
