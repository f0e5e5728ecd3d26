extern const Algorithm one_card;  // cards name each other
