"""Encoding of actions as integers (PROTOCOL.md, section 1)."""

from bartizan.simcore.colditz import components as cz
from bartizan.simcore.kit.actions import coded, packed

action, kind_of, argument_of = coded(cz.ARGUMENTS)

# Contents of an argument.
# EQUIP: two POWs; SHOOT, MATCH: a guard and a POW
pair, both_of = packed(first=cz.PAIR, second=cz.PAIR)
# BRIBE: the card for this number of Equipment cards, and which ones (NOTHING: only the first)
bribery, bribery_of = packed(cards=cz.SMALL, first=cz.SMALL, second=cz.SMALL)
# CONVERT: the player whose card becomes Equipment; GIVE_EQUIPMENT: the player who receives it
ownership, owner_and_equipment = packed(player=cz.PLAYERS, equipment=cz.SMALL)
# INSPECT: two guards, or the only one twice
inspection, guards_of = packed(first=cz.GUARDS, second=cz.GUARDS)
# FAST: the room, and which POW of the team
fast_move, room_and_pow = packed(room=cz.ROOMS, pow=cz.SMALL)
# FREE: the block, and 1 for a circle nearer the way back (Q36)
freeing, block_and_nearer = packed(block=2, nearer=2)
# GIVE: an Opportunity card from one player to another
gift, gift_of = packed(giver=cz.PLAYERS, taker=cz.SMALL, card=cz.CARDS)
# HIDE: which POW of the team, and the safe circle
hiding, pow_and_circle = packed(pow=cz.SMALL, circle=cz.PAWN)
# SEARCH: the room, and the guard
searching, room_and_guard = packed(room=cz.ROOMS, guard=cz.GUARDS)
# HOLDER: the POW, and the card: Key (0) or Pass (1)
holding, holder_and_card = packed(pow=cz.PAIR, card=2)

# actions whose argument packs several numbers, and the functions that unpack them
UNPACK = {
    cz.Act.EQUIP: both_of,
    cz.Act.SHOOT: both_of,
    cz.Act.MATCH: both_of,
    cz.Act.BRIBE: bribery_of,
    cz.Act.CONVERT: owner_and_equipment,
    cz.Act.GIVE_EQUIPMENT: owner_and_equipment,
    cz.Act.INSPECT: guards_of,
    cz.Act.FAST: room_and_pow,
    cz.Act.FREE: block_and_nearer,
    cz.Act.GIVE: gift_of,
    cz.Act.HIDE: pow_and_circle,
    cz.Act.SEARCH: room_and_guard,
    cz.Act.HOLDER: holder_and_card,
}
