"""The words around numbers, names and claims that decide how they stand: patterns in English and Chinese.

Each is tried on a sentence, or on a window of fixed length before or after a place, in small letters. Those that end
with "$" look back, those that are matched look on. They hold what grammar the clauses of `predicates.conduct.meaning`
need; what is looked for stands in the lexicons.
"""

import re

HARD_CUT = re.compile("[;\u2014()\u3002!?\uff0c\uff1b\uff08\uff09]|,(?![0-9]{3})|\\. ")
SOFT_CUT = re.compile(
    r"\b(?:and|with|but|while|though|as|because|so|which|versus|against|yet)\b|[而但和与跟]|:|同时|不过|可是|所以|因为|加上|另外")
FROM = re.compile(
    r"(?:from|从|由)(?: (?:the|your|about|around|its|current|roughly|nearly)| ?[目当现]前?在?的?| ?大?约)* ?$")
ASKS = re.compile("(?:吗|呢|多少|几个|怎么样|如何)[。. ]*$")
DONE = ("的", "了", "过", "着")
"""What makes an order before it something that was done: 配的, 买了."""
IT = ("it ", "it's ", "its ", "this ", "that ", "they ", "它", "该", "这", "其")
YOURS = re.compile(
    r"(?:\byour (?:own |existing |current )?|[您你](?:的|(?:现在|目前|当前)?(?:手[里上中头]|账户里|组合里|仓里|名下)?"
    r"(?:的|[这那][只笔个支款]|(?:持有|拿着?|买|配| ?hold ?|有)的(?:就?是)?|拿着|还有|[这那])))[\"' ]?$")
YOU_HOLD = re.compile(
    r"[\"']?(?: etf| fund| position| holding| feeder| deposit| units?| shares?){0,2},?(?: that| which)?"
    r" you(?:'re| are|'ve| have)? ?(?:still |already |currently |now |also )?"
    r"(?:hold|holding|own|owning|have|got|carry|carrying|bought|sitting on|sit on)\b")
NO_NAME = re.compile(
    r"(?:(?:没有?|并无|从没|不曾|未)(?:买|配|持有|配置|碰)?过?"
    r"|\b(?:no|zero|not own|not hold|no position in|never bought)"
    r"(?: any)? ?)$")
LIKE_NAME = re.compile("(?:那么|这么|那样|这样|[的好高稳快涨跌贵]|波动|风险)")
LIMIT = re.compile(
    r"(?:\b(?:up to|at most|no more than|not more than|no higher than|not above|never above|within|capped at"
    r"|a maximum of|at least|no less than|not below|never below)|不超过|至多|最多|不高于|控制在|不低于|至少)"
    r"(?: ?约| about| around)? ?$")
CAPPED = re.compile(
    r"[^,;]{0,30}?\b(?:at most|at the most|or less|maximum|tops|(?:left|kept|held) (?:as|in|for|back))\b"
    r"|(?:以内|以下|封顶|为限|为上限)")
ONLY_IF = re.compile(r"[^;.]{0,40}\b(?:only (?:while|if|when|once)|provided|as long as)\b")
SAID = re.compile(
    r"\b(?:is|are|was|were|has|have|had|stands?|stood|sits?|sat|shows?|holds?|held|made|lost|you're|it's)\b"
    r"|[是为有占]|目前|现在|'re |'s ")
COMPARED = re.compile(
    r"\b(?:than (?:the|your|its|last|our)|beats?|beating|outperform\w*|lag\w*|trail\w*|ahead of|behind)\b"
    r"|(?<![占同环对百])比(?![例较如重方])|跑赢|跑输|落后|领先|相差|差距")
YOUR_SUM = re.compile(
    r"(?:\byour (?:whole |entire |full )?|[您你](?:手[里上][的有]?|账户里的?|[的这那])[这那]?)$")
IN_NAME = re.compile(
    r" ?(?:yuan |rmb )?(?:is |are |sits |sitting |invested |parked |tied up )?(?:in|into) (?:the |your )?")
OVER = re.compile(r" (?:over|in|for|during|across|within) (?:the )?(?:last |past )?")
ASKING = re.compile(
    r"^[\"' ]*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|what|how|which|why|when|where|who"
    r"|am|shall|may|might)\b|\b(?:whether|if|what|how)\b|是不是|是否|有没有|会不会|吗|呢|多少|几|哪|谁|怎么|什么")
CONFIRMING = re.compile(
    r"\b(?:right|correct|yes|no|true|agree|is (?:that|it)|are (?:you|they)|isn't|aren't|doesn't|don't)\b"
    r"|对吗|是吗|对不对|是不是|对吧|是吧|没错吧|确认")
TERM = re.compile("[ -]?(?:structured )?(?:deposit|lock|term deposit)|期?的?(?:定期|结构性)?存款|封闭")
OF_THIS = re.compile(r" (?:for|on|of|in|with) (?:the |your |our )?")
PACED = re.compile(r"[^,;.]{0,24}?(?:\b(?:each|every|per|a) (?:month|week|quarter|day)\b|每个?[月周天季])")
AS_A = re.compile(r"\b(?:as|being) an? |作为|身为")
AND_THEN = re.compile(r"\b(?:and|then|so) you(?:'re| are)\b[^,;]{0,24}$")
MORE_THAN = re.compile(
    r"(?:\b(?:more than|over|above|beyond|exceed(?:s|ed|ing)?|past|deeper than)"
    r"|超过|超出|高于|大于|多于|超) ?$")
POSSIBLE = re.compile(
    r"[^,;.!?\uff0c\u3002]{0,12}?(?:\bwould (?:be|mean|leave)\b"
    r"|(?:都?是)?(?:完全|随时|很|都)?有?可能|在所难免|难免|不可避免"
    r"|\b(?:is|are|remains?|stays?) (?:\w+ )?(?:possible|a possibility|to be expected|imaginable|conceivable|likely)"
    r"|\b(?:can|may|might|could|do|does) (?:\w+ )?(?:happen|occur|come|follow)\b)")
TO = re.compile(
    r"(?:\b(?:to|towards?|below|above|under|within|between)|到|至|成|为)"
    r"(?: (?:about|around|roughly|only|just|the|a|at|most|least)| ?大?约)* ?$")
REACHED = re.compile("(?:回撤|跌|亏)(?:到|至) ?$")
THEN = re.compile(
    " ?(?:or more |以上|以内|以下|左右|的话|时)?"
    "(?:就|则|便|时|离场|止损|止盈|走人|清仓"
    "|(?:that )?(?:we|you) (?:agreed|set|planned)|[^,;，]{0,4}都?(?:不会|别留|不留|没有)"
    "|[^,;]{0,24}\\buntil\\b)")
FIGURE = re.compile(
    r"[0-9%成只支点万元块]|percent|funds|holdings|positions|[ -](?:days?|months?|years?|yuan|thousand)\b")
PART_OF = re.compile(
    " of (?:your|the|our|its|that|this)? ?(?:remaining |available |free |current )?(?:cash|position)\\b")
ASIDE = re.compile(", ?(?:ha[sv]|is|are|was|were)")
GENERIC = re.compile(r"\b(?:an?|any|such) (?:maximum |max |typical )?$")
DENIED = re.compile(r"(?:\bnot|n't|不是|并非)(?: (?:about|around|at))? ?$")
LEVEL_SAID = re.compile(
    r"(?:\b(?:is|are|it's|that's|rated|says?|as|class|level|rating|category|only|at|be|being|carr(?:ies|y)|bears?|wears?|gets?|earns?|graded|tagged|marked|labell?ed)|[是为属级标到打挂贴评划归]|显示)"
    r"[ :]{0,2}(?:a |an |the |only |just |about |的|在|只)?$")
LEVEL_DENIED = re.compile(
    r"(?:\bnot|n't|不是|并非|而非|up to|above|below|over|最高到|不超过|以上|unlock[a-z]*)[^,.;，。]{0,8}$")
RATE = re.compile(r"(?:%|percent|yuan) $")
PAIRED = re.compile(r" ?(?:对|比|vs\.?|versus|against|to) ?-?[0-9]")
DIFFERENCE = re.compile(
    r" ?(?:points? )?(?:(?:above|below|over|under|short of|(?:more|less|higher|lower|better|worse) than)"
    r" (?:the|your|what|our|its|that)\b"
    r"(?! (?:past|last|same|quarter|month|year|period|whole|three|first|twenty|00[- ](?:day|session|trading)))"
    r"|(?:less|more) than\b|(?:more|less)\b)|[的]?(?:差距|差额)")
