"""How actions are written as numbers: PROTOCOL.md, section 1."""

from bartizan.simcore.colditz.components import (
    ARGUMENTS,
    CARDS,
    GUARDS,
    PAIR,
    PAWN,
    PLAYERS,
    ROOMS,
    SMALL,
    Act,
)
from bartizan.simcore.kit.actions import coded, packed

action, kind_of, argument_of = coded(ARGUMENTS)

# What an argument names.
# EQUIP: two POWs; SHOOT, MATCH: a guard and a POW
pair, both_of = packed(first=PAIR, second=PAIR)
# BRIBE: the card for so many Equipment cards, and which (NOTHING: the first alone)
bribery, bribery_of = packed(cards=SMALL, first=SMALL, second=SMALL)
# CONVERT: the player whose card becomes Equipment; GIVE_EQUIPMENT: the player who gets it
ownership, owner_and_equipment = packed(player=PLAYERS, equipment=SMALL)
# INSPECT: two guards, or the only one twice
inspection, guards_of = packed(first=GUARDS, second=GUARDS)
# FAST: the room, and which POW of the team
fast_move, room_and_pow = packed(room=ROOMS, pow=SMALL)
# FREE: the block, and 1 for a circle nearer the way back (Q36)
freeing, block_and_nearer = packed(block=2, nearer=2)
# GIVE: an Opportunity card from one player to another
gift, gift_of = packed(giver=PLAYERS, taker=SMALL, card=CARDS)
# HIDE: which POW of the team, and the safe circle
hiding, pow_and_circle = packed(pow=SMALL, circle=PAWN)
# SEARCH: the room, and the guard
searching, room_and_guard = packed(room=ROOMS, guard=GUARDS)
# HOLDER: the POW, and the card: Key (0) or Pass (1)
holding, holder_and_card = packed(pow=PAIR, card=2)

# Acts whose argument packs several numbers, and what takes them out again
UNPACK = {
    Act.EQUIP: both_of,
    Act.SHOOT: both_of,
    Act.MATCH: both_of,
    Act.BRIBE: bribery_of,
    Act.CONVERT: owner_and_equipment,
    Act.GIVE_EQUIPMENT: owner_and_equipment,
    Act.INSPECT: guards_of,
    Act.FAST: room_and_pow,
    Act.FREE: block_and_nearer,
    Act.GIVE: gift_of,
    Act.HIDE: pow_and_circle,
    Act.SEARCH: room_and_guard,
    Act.HOLDER: holder_and_card,
}
